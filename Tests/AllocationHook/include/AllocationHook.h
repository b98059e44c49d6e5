#ifndef ALLOCATION_HOOK_H
#define ALLOCATION_HOOK_H

/// Calls a function, from now on, before each object that compiled Swift code makes; null for none.
void onAllocation(void (*_Nullable hook)(void));

#endif
