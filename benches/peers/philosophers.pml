#ifndef NN
#define NN 5
#endif
bit taken[NN];
proctype Philosopher(byte first; byte second)
{ do
  :: skip;
     atomic { taken[first] == 0 -> taken[first] = 1 };
     atomic { taken[second] == 0 -> taken[second] = 1 };
     skip;
     taken[second] = 0;
     taken[first] = 0;
     skip
  od
}
init { byte i = 1; atomic { run Philosopher(1, 0); do :: i < NN -> run Philosopher(i, (i+1)%NN); i++ :: else -> break od; i = 0 } }
