#include "textflag.h"

DATA rotate16<>+0(SB)/8, $0x0100070605040302
DATA rotate16<>+8(SB)/8, $0x09080f0e0d0c0b0a
DATA rotate16<>+16(SB)/8, $0x0100070605040302
DATA rotate16<>+24(SB)/8, $0x09080f0e0d0c0b0a
GLOBL rotate16<>(SB), (NOPTR+RODATA), $32

DATA rotate24<>+0(SB)/8, $0x0201000706050403
DATA rotate24<>+8(SB)/8, $0x0a09080f0e0d0c0b
DATA rotate24<>+16(SB)/8, $0x0201000706050403
DATA rotate24<>+24(SB)/8, $0x0a09080f0e0d0c0b
GLOBL rotate24<>(SB), (NOPTR+RODATA), $32

// Registers: Y0 and Y1 hold a of two groups of four columns, Y2 and Y3 b, Y4 and Y5 c, Y6 and Y7 d. Y8 and Y9 are temporary,
// Y14 and Y15 hold the byte orders that rotate by 24 and 16 bits.

// MULADD sets x to x + y + 2 * lower half of x * lower half of y, in each 64-bit word of two registers.
#define MULADD(x0, x1, y0, y1) \
	VPMULUDQ y0, x0, Y8; \
	VPMULUDQ y1, x1, Y9; \
	VPADDQ   y0, x0, x0; \
	VPADDQ   y1, x1, x1; \
	VPADDQ   Y8, Y8, Y8; \
	VPADDQ   Y9, Y9, Y9; \
	VPADDQ   Y8, x0, x0; \
	VPADDQ   Y9, x1, x1

// MIX is the function GB of RFC 9106, section 3.6, on eight columns.
#define MIX(a0, a1, b0, b1, c0, c1, d0, d1) \
	MULADD(a0, a1, b0, b1); \
	VPXOR   a0, d0, d0; \
	VPXOR   a1, d1, d1; \
	VPSHUFD $0xb1, d0, d0; \
	VPSHUFD $0xb1, d1, d1; \
	MULADD(c0, c1, d0, d1); \
	VPXOR   c0, b0, b0; \
	VPXOR   c1, b1, b1; \
	VPSHUFB Y14, b0, b0; \
	VPSHUFB Y14, b1, b1; \
	MULADD(a0, a1, b0, b1); \
	VPXOR   a0, d0, d0; \
	VPXOR   a1, d1, d1; \
	VPSHUFB Y15, d0, d0; \
	VPSHUFB Y15, d1, d1; \
	MULADD(c0, c1, d0, d1); \
	VPXOR   c0, b0, b0; \
	VPXOR   c1, b1, b1; \
	VPADDQ  b0, b0, Y8; \
	VPADDQ  b1, b1, Y9; \
	VPSRLQ  $63, b0, b0; \
	VPSRLQ  $63, b1, b1; \
	VPXOR   Y8, b0, b0; \
	VPXOR   Y9, b1, b1

// LOADROW loads four words of the XOR of the blocks at SI and DX.
#define LOADROW(off, y) \
	VMOVDQU off(SI), y; \
	VPXOR   off(DX), y, y

// ROWS applies P to two rows of 128 bytes of the XOR of the blocks at SI and DX, and stores them at BX.
#define ROWS(off) \
	LOADROW((off), Y0); \
	LOADROW((off+128), Y1); \
	LOADROW((off+32), Y2); \
	LOADROW((off+160), Y3); \
	LOADROW((off+64), Y4); \
	LOADROW((off+192), Y5); \
	LOADROW((off+96), Y6); \
	LOADROW((off+224), Y7); \
	MIX(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7); \
	VPERMQ  $0x39, Y2, Y2; \
	VPERMQ  $0x39, Y3, Y3; \
	VPERMQ  $0x4e, Y4, Y4; \
	VPERMQ  $0x4e, Y5, Y5; \
	VPERMQ  $0x93, Y6, Y6; \
	VPERMQ  $0x93, Y7, Y7; \
	MIX(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7); \
	VPERMQ  $0x93, Y2, Y2; \
	VPERMQ  $0x93, Y3, Y3; \
	VPERMQ  $0x4e, Y4, Y4; \
	VPERMQ  $0x4e, Y5, Y5; \
	VPERMQ  $0x39, Y6, Y6; \
	VPERMQ  $0x39, Y7, Y7; \
	VMOVDQA Y0, (off)(BX); \
	VMOVDQA Y1, (off+128)(BX); \
	VMOVDQA Y2, (off+32)(BX); \
	VMOVDQA Y3, (off+160)(BX); \
	VMOVDQA Y4, (off+64)(BX); \
	VMOVDQA Y5, (off+192)(BX); \
	VMOVDQA Y6, (off+96)(BX); \
	VMOVDQA Y7, (off+224)(BX)

// TURN moves one word between two registers and swaps neighbours, in each half: of (0 1) and (2 3) it makes (1 2) and (3 0).
#define TURN(x, y) \
	VPBLENDD $0x33, y, x, Y8; \
	VPBLENDD $0xcc, y, x, Y9; \
	VPSHUFD  $0x4e, Y8, x; \
	VPSHUFD  $0x4e, Y9, y

// TURNBACK is the reverse of TURN: of (1 2) and (3 0) it makes (0 1) and (2 3).
#define TURNBACK(x, y) \
	VPBLENDD $0xcc, y, x, Y8; \
	VPBLENDD $0x33, y, x, Y9; \
	VPSHUFD  $0x4e, Y8, x; \
	VPSHUFD  $0x4e, Y9, y

// STORE sets four words of the block at DI to y XOR the blocks at SI and DX.
#define STORE(off, y) \
	VPXOR   (off)(SI), y, y; \
	VPXOR   (off)(DX), y, y; \
	VMOVDQU y, (off)(DI)

// STOREXOR is STORE, XORed with the words that the block at DI has.
#define STOREXOR(off, y) \
	VPXOR (off)(DI), y, y; \
	STORE(off, y)

// COLUMNS applies P to four columns of the block at BX.
#define COLUMNS(off, save) \
	VMOVDQA (off)(BX), Y0; \
	VMOVDQA (off+128)(BX), Y1; \
	VMOVDQA (off+256)(BX), Y2; \
	VMOVDQA (off+384)(BX), Y3; \
	VMOVDQA (off+512)(BX), Y4; \
	VMOVDQA (off+640)(BX), Y5; \
	VMOVDQA (off+768)(BX), Y6; \
	VMOVDQA (off+896)(BX), Y7; \
	MIX(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7); \
	TURN(Y2, Y3); \
	TURNBACK(Y6, Y7); \
	MIX(Y0, Y1, Y2, Y3, Y5, Y4, Y6, Y7); \
	TURNBACK(Y2, Y3); \
	TURN(Y6, Y7); \
	save((off), Y0); \
	save((off+128), Y1); \
	save((off+256), Y2); \
	save((off+384), Y3); \
	save((off+512), Y4); \
	save((off+640), Y5); \
	save((off+768), Y6); \
	save((off+896), Y7)

// func compressAVX2(out, x, y *block, xor bool)
TEXT ·compressAVX2(SB), 0, $1056-25
	MOVQ    out+0(FP), DI
	MOVQ    x+8(FP), SI
	MOVQ    y+16(FP), DX
	MOVBLZX xor+24(FP), AX
	LEAQ    31(SP), BX
	ANDQ    $~31, BX
	VMOVDQU rotate24<>(SB), Y14
	VMOVDQU rotate16<>(SB), Y15
	ROWS(0)
	ROWS(256)
	ROWS(512)
	ROWS(768)
	TESTL   AX, AX
	JNE     withXOR
	COLUMNS(0, STORE)
	COLUMNS(32, STORE)
	COLUMNS(64, STORE)
	COLUMNS(96, STORE)
	VZEROUPPER
	RET

withXOR:
	COLUMNS(0, STOREXOR)
	COLUMNS(32, STOREXOR)
	COLUMNS(64, STOREXOR)
	COLUMNS(96, STOREXOR)
	VZEROUPPER
	RET
