#include "textflag.h"
#include "go_asm.h"

// Inflates the codes of two members by turns. While one waits for a load of its table,
// the other goes on: a symbol can be looked up only when the last one's bits are gone,
// and one member alone leaves the processor idle for most of that time.
//
// A turn of a member fills its buffer, takes up to three literals and then a match, if
// these come next. Literals are taken without branches, which could not be foretold:
// the entry of a length, taken for a literal, takes no bits (see entry), and the byte
// that was stored for it is overwritten.
//
// Registers of a member:
//
//	IN   where its next input bytes are
//	AT   where its next output byte goes
//	BUF  the next bits of the input
//	N    how many of these are sound, in its lowest 8 bits
//	TAB  its tables
//	E    the entry that comes next; EH is the byte of a literal in it
//
// CX, DX and BP hold what lives within one step.

#define LITMASK ((1<<const_litBits) - 1)

// FILL makes at least 56 bits sound, and looks up the first entry.
#define FILL(IN, BUF, N, TAB, E) \
	MOVQ (IN), E; \
	MOVL N, DX; \
	SHLXQ N, E, E; \
	NOTL DX; \
	SHRL $3, DX; \
	ORQ E, BUF; \
	ANDL $7, DX; \
	ORL $56, N; \
	MOVL BUF, E; \
	ANDL $LITMASK, E; \
	ADDQ DX, IN; \
	MOVL (TAB)(E*4), E

// LITERAL takes a literal, if E is one, of at most 10 bits.
#define LITERAL(AT, BUF, N, TAB, E, EH) \
	MOVB EH, (AT); \
	BTL $30, E; \
	ADCQ $0, AT; \
	SHRXQ E, BUF, BUF; \
	SUBL E, N; \
	MOVL BUF, E; \
	ANDL $LITMASK, E; \
	MOVL (TAB)(E*4), E

// MATCH takes a match, if E is its length and there are bits for it; else the next
// turn does. A distance that was looked up by bits that are not sound is one of those.
#define MATCH(AT, BUF, N, TAB, E, START, odd, match, sub, copy, few, bad, overlap, long, next) \
	TESTL E, E; \
	JMI odd; \
match: \
	RORXL $14, E, BP; \
	SHRXQ BP, BUF, CX; \
	MOVBLZX CX, DX; \
	MOVL tables_dist(TAB)(DX*4), DX; \
	TESTL DX, DX; \
	JMI sub; \
copy: \
	SUBL BP, N; \
	SUBL DX, N; \
	TESTB N, N; \
	JMI few; \
	BZHIQ BP, BUF, BUF; \
	RORXL $8, E, BP; \
	SHRXQ BP, BUF, BUF; \
	SHRL $22, E; \
	LEAL 3(E)(BUF*1), E; \
	BZHIQ DX, CX, BUF; \
	RORXL $8, DX, BP; \
	SHRXQ DX, CX, CX; \
	SHRXQ BP, BUF, BUF; \
	SHRL $16, DX; \
	ADDL BUF, DX; \
	MOVQ CX, BUF; \
	MOVQ AT, CX; \
	SUBQ DX, CX; \
	CMPQ CX, START; \
	JCS bad; \
	CMPL DX, $16; \
	JCS overlap; \
	MOVOU (CX), X0; \
	MOVOU X0, (AT); \
	MOVOU 16(CX), X0; \
	MOVOU X0, 16(AT); \
	CMPL E, $32; \
	JHI long; \
	ADDQ E, AT; \
next:

// SELDOM is what MATCH leaves out: codes that go on in a subtable, copies of more than
// 32 bytes, and those that overlap. A literal's code in a subtable waits for a turn with
// a full buffer.
#define SELDOM(AT, BUF, N, TAB, E, EH, SPILL, odd, length, match, sub, copy, few, overlap, words, bytes, pattern, ended, long, more, next, stop) \
odd: \
	BTL $30, E; \
	JCS next; \
	BTL $29, E; \
	JCC stop; \
	CMPB N, $48; \
	JCS next; \
	RORXL $22, E, CX; \
	ANDL $15, CX; \
	MOVQ BUF, DX; \
	SHRQ $const_litBits, DX; \
	BZHIL CX, DX, DX; \
	SHRL $8, E; \
	ADDL DX, E; \
	ANDL $(const_litSize - 1), E; \
	MOVL (TAB)(E*4), E; \
	BTL $30, E; \
	JCC length; \
	MOVB EH, (AT); \
	INCQ AT; \
	SHRXQ E, BUF, BUF; \
	SUBL E, N; \
	JMP next; \
length: \
	TESTL E, E; \
	JMI stop; \
	JMP match; \
few: \
	ADDL DX, N; \
	ADDL BP, N; \
	JMP next; \
sub: \
	BTL $15, DX; \
	JCC stop; \
	MOVL DX, SPILL; \
	RORXL $8, DX, BP; \
	ANDL $15, BP; \
	MOVQ CX, DX; \
	SHRQ $const_distBits, DX; \
	BZHIL BP, DX, DX; \
	MOVL SPILL, BP; \
	SHRL $16, BP; \
	ADDL BP, DX; \
	ANDL $(const_distSize - 1), DX; \
	MOVL tables_dist(TAB)(DX*4), DX; \
	TESTL DX, DX; \
	JMI stop; \
	RORXL $14, E, BP; \
	JMP copy; \
long: \
	ADDQ AT, E; \
	MOVOU 32(CX), X0; \
	MOVOU X0, 32(AT); \
	MOVOU 48(CX), X0; \
	MOVOU X0, 48(AT); \
	MOVOU 64(CX), X0; \
	MOVOU X0, 64(AT); \
	MOVOU 80(CX), X0; \
	MOVOU X0, 80(AT); \
	ADDQ $96, AT; \
	ADDQ $96, CX; \
	CMPQ AT, E; \
	JCC ended; \
more: \
	MOVOU (CX), X0; \
	MOVOU X0, (AT); \
	ADDQ $16, CX; \
	ADDQ $16, AT; \
	CMPQ AT, E; \
	JCS more; \
	JMP ended; \
overlap: \
	ADDQ AT, E; \
	CMPL DX, $8; \
	JCS bytes; \
words: \
	MOVQ (CX), DX; \
	MOVQ DX, (AT); \
	ADDQ $8, CX; \
	ADDQ $8, AT; \
	CMPQ AT, E; \
	JCS words; \
	JMP ended; \
bytes: \
	MOVQ (CX), BP; \
	CMPL DX, $1; \
	JNE pattern; \
	MOVBLZX BP, BP; \
	MOVQ $0x0101010101010101, CX; \
	IMULQ CX, BP; \
	MOVL $8, DX; \
pattern: \
	MOVQ BP, (AT); \
	ADDQ DX, AT; \
	CMPQ AT, E; \
	JCS pattern; \
ended: \
	MOVQ E, AT; \
	JMP next

// func inflateLanes(a, b *lane) stopped
TEXT ·inflateLanes(SB), NOSPLIT, $64-24
	MOVQ a+0(FP), AX
	MOVQ lane_in(AX), R8
	MOVQ lane_at(AX), SI
	MOVQ lane_buf(AX), R9
	MOVQ lane_n(AX), R10
	MOVQ lane_tables(AX), R11
	MOVQ lane_start(AX), BX
	MOVQ BX, start1-8(SP)
	MOVQ lane_lastIn(AX), BX
	MOVQ BX, lastIn1-16(SP)
	MOVQ lane_lastOut(AX), BX
	MOVQ BX, lastOut1-24(SP)
	MOVQ b+8(FP), AX
	MOVQ lane_in(AX), R12
	MOVQ lane_at(AX), DI
	MOVQ lane_buf(AX), R13
	MOVQ lane_n(AX), R14
	MOVQ lane_tables(AX), R15
	MOVQ lane_start(AX), BX
	MOVQ BX, start2-32(SP)
	MOVQ lane_lastIn(AX), BX
	MOVQ BX, lastIn2-40(SP)
	MOVQ lane_lastOut(AX), BX
	MOVQ BX, lastOut2-48(SP)

turn:
	CMPQ R8, lastIn1-16(SP)
	JHI  bounds
	CMPQ SI, lastOut1-24(SP)
	JHI  bounds
	CMPQ R12, lastIn2-40(SP)
	JHI  bounds
	CMPQ DI, lastOut2-48(SP)
	JHI  bounds
	FILL(R8, R9, R10, R11, AX)
	FILL(R12, R13, R14, R15, BX)
	LITERAL(SI, R9, R10, R11, AX, AH)
	LITERAL(DI, R13, R14, R15, BX, BH)
	LITERAL(SI, R9, R10, R11, AX, AH)
	LITERAL(DI, R13, R14, R15, BX, BH)
	LITERAL(SI, R9, R10, R11, AX, AH)
	LITERAL(DI, R13, R14, R15, BX, BH)
	MATCH(SI, R9, R10, R11, AX, start1-8(SP), odd1, match1, sub1, copy1, few1, bad1, overlap1, long1, next1)
	MATCH(DI, R13, R14, R15, BX, start2-32(SP), odd2, match2, sub2, copy2, few2, bad2, overlap2, long2, next2)
	JMP turn

	SELDOM(SI, R9, R10, R11, AX, AH, spill-56(SP), odd1, length1, match1, sub1, copy1, few1, overlap1, words1, bytes1, pattern1, ended1, long1, more1, next1, stop1)
	SELDOM(DI, R13, R14, R15, BX, BH, spill-56(SP), odd2, length2, match2, sub2, copy2, few2, overlap2, words2, bytes2, pattern2, ended2, long2, more2, next2, stop2)

bounds:
	MOVQ $0, DX
	JMP  done
stop1:
	MOVQ $1, DX
	JMP  done
stop2:
	MOVQ $2, DX
	JMP  done
bad1:
	MOVQ $3, DX
	JMP  done
bad2:
	MOVQ $4, DX

done:
	MOVQ a+0(FP), AX
	MOVQ R8, lane_in(AX)
	MOVQ SI, lane_at(AX)
	MOVQ R9, lane_buf(AX)
	MOVQ R10, lane_n(AX)
	MOVQ b+8(FP), AX
	MOVQ R12, lane_in(AX)
	MOVQ DI, lane_at(AX)
	MOVQ R13, lane_buf(AX)
	MOVQ R14, lane_n(AX)
	MOVQ DX, ret+16(FP)
	RET
