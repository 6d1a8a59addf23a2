#ifndef NN
#define NN 6
#endif
chan q[NN] = [1] of { byte };
proctype P(chan out; chan in; byte num)
{ byte most = num; byte x = 0;
  xs out; xr in;
  out!num;
wait:
  do
  :: atomic { in?x -> if :: x > most -> most = x; x = 0; goto forward :: x == num -> x = 0; goto lead :: else -> x = 0 fi }
  od;
forward: out!most; goto wait;
lead: do :: x = 0 od
}
init { byte i = 0; atomic { do :: i < NN -> run P(q[i], q[(i+NN-1)%NN], NN-1-i); i++ :: else -> break od; i = 0 } }
