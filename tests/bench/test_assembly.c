/* Counting operations in the text of a disassembly: RADV's, of GFX8 to GFX11, shortened. */
#include "assembly.h"
#include "test.h"

static void expectCounts(const OperationCounts *counts, uint32_t vector, uint32_t scalar, uint32_t memory,
                         uint32_t scalarMemory, uint32_t shared, uint32_t wait) {
    const uint32_t expected[OPERATION_KIND_COUNT] = {vector, scalar, memory, scalarMemory, shared, wait};
    for (int i = 0; i < OPERATION_KIND_COUNT; i++) {
        assert_int_equal(counts->of[i], expected[i]);
    }
}

TEST(without_a_loop) {
    (void)state;
    const AssemblyCounts counts = assemblyCount("BB0:\n"
                                                "\ts_load_dwordx4 s[8:11], s[2:3], null       ; f4080201 fa000000\n"
                                                "\ts_waitcnt lgkmcnt(0)                       ; bf8cc07f\n"
                                                "\tv_mul_lo_u32 v1, v0, s7                    ; d5690001 00000f00\n"
                                                "\tv_cmpx_gt_u32_e32 s6, v1                   ; 7da80206\n"
                                                "\ts_cbranch_execz BB2                        ; bf880009\n"
                                                "BB1:\n"
                                                "\tbuffer_load_dword v0, v1, s[8:11], 0 offen ; e0301000 80020001\n"
                                                "\tds_write_b32 v4, v3                        ; d8340000 00000304\n"
                                                "BB2:\n"
                                                "\ts_endpgm                                   ; bf810000\n");
    assert_int_equal(counts.loops, 0);
    expectCounts(&counts.outside, 2, 2, 1, 1, 1, 1);
    expectCounts(&counts.loop, 0, 0, 0, 0, 0, 0);
    expectCounts(&counts.inner, 0, 0, 0, 0, 0, 0);
}

/* A search before the loop over instances, which has two branches back, and a loop in it. */
static const char LOOPS[] = "BB0:\n\ts_mul_i32 s0, s14, s10\n"
                            "BB2:\n\ts_buffer_load_dword s10, s[12:15], s10\n\ts_branch BB2\n"
                            "BB6:\n\tv_mov_b32_e32 v3, 0\n"
                            "BB11:\n\tv_cmpx_ge_u32_e32 v1, v5\n\ts_cbranch_scc0 BB25\n"
                            "BB19:\n\tglobal_load_b128 v[0:3], v4, s[2:3]\n\ts_cbranch_vccnz BB11\n"
                            "BB20:\n\tv_dual_fmac_f32 v1, v2, v3 :: v_dual_mul_f32 v4, v5, v6\n"
                            "\ts_delay_alu instid0(VALU_DEP_1)\n\ts_cbranch_scc1 BB20\n"
                            "BB21:\n\ttbuffer_store_format_x v6, v4, s[4:7], 0\n\tflat_load_dword v1, v[2:3]\n"
                            "\ts_branch BB11\n"
                            "BB25:\n\texp pos0 v0, v1, v2, v3 done\n\ts_nop 0\n\ts_endpgm\n\ts_code_end\n";

TEST(loops) {
    (void)state;
    const AssemblyCounts counts = assemblyCount(LOOPS);
    assert_int_equal(counts.loops, 3);
    expectCounts(&counts.outside, 1, 3, 1, 1, 0, 2);
    expectCounts(&counts.loop, 1, 3, 3, 0, 0, 0);
    expectCounts(&counts.inner, 1, 1, 0, 0, 0, 1);
}

TEST(other_texts) {
    (void)state;
    static const char *const texts[] = {"",
                                        "\n\n",
                                        "BB",
                                        "BB99999999999:\n",
                                        "\ts_branch BB1",
                                        "\ts_branch BB",
                                        "mad(16) g1<1>F g2<8,8,1>F {align1};\n"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        const AssemblyCounts counts = assemblyCount(texts[i]);
        const uint32_t branches = strstr(texts[i], "s_branch") ? 1 : 0;
        assert_int_equal(counts.loops, 0);
        expectCounts(&counts.outside, 0, branches, 0, 0, 0, 0);
    }
}
