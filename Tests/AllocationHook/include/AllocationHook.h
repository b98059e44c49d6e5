#ifndef ALLOCATION_HOOK_H
#define ALLOCATION_HOOK_H

/// Sets a function that is called before compiled Swift code allocates an object; null removes it.
void onAllocation(void (*_Nullable hook)(void));

#endif
