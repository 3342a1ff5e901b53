/* consumer.c - the worked example through the installed header; prints one line, exits 0. */
#include <attention.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    const float q[] = {2, -1, -1, 1, 1, 2}, k[] = {1, 0, 0, 2, 1, 1}, v[] = {2, 0, 0, 4, 1, 1};
    float out[6];
    attn_params p;
    attn_defaults(&p, 1, 1, 3, 2);
    p.q = q, p.k = k, p.v = v, p.out = out;

    size_t bytes = 0;
    attn_status status = attn_workspace_size(&p, ATTN_OP_FORWARD, &bytes);
    void *workspace = malloc(bytes);
    if (status == ATTN_OK) status = attn_forward(&p, workspace, bytes);
    free(workspace);
    printf("attn %s: %.3f %.3f (%s)\n", attn_version(), (double)out[4], (double)out[5],
           attn_status_string(status));
    if (status != ATTN_OK || strcmp(attn_version(), ATTN_VERSION) != 0) return 1;
    return fabsf(out[4] - 0.454f) > 0.0005f || fabsf(out[5] - 2.786f) > 0.0005f;
}
