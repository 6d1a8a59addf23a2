#ifndef NN
#define NN 20
#endif
active [NN] proctype S() { bit b = 0; do :: b = 1 - b od }
