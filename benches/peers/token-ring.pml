#ifndef NN
#define NN 4
#endif
#define STEPS 3
chan pass[NN] = [0] of { bit };
#define RING waiting: atomic { s < STEPS -> s++; if :: s == STEPS -> s = 0; goto ready :: else -> goto waiting fi }; \
 ready: in?1; \
 holder: skip; out!1; goto waiting
proctype First(chan in; chan out) { byte s = 0; goto holder; RING }
proctype Node(chan in; chan out) { byte s = 0; RING }
init { byte i = 1;
  atomic { run First(pass[0], pass[1]);
    do :: i < NN -> run Node(pass[i], pass[(i+1)%NN]); i++ :: else -> break od; i = 0 } }
