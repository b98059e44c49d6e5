#include "ExploreSeamThread.h"

_Thread_local struct KnotRun *knotCurrent;
