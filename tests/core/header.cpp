// header.cpp - attention.h from C++: it compiles, and its functions link under their C names.
#include "attention.h"

int main() {
    attn_params params;
    attn_defaults(&params, 1, 2, 3, 4);
    const char *field = nullptr;
    const attn_status status = attn_check(&params, &field);
    return status == ATTN_OK && field == nullptr ? 0 : 1;
}
