//go:build !spoil

package buffers

// Spoiling reports whether buffers are filled when they are given back.
const Spoiling = false

// Spoil fills a buffer up to its capacity.
func Spoil([]byte) {}

// A Loan is bytes that are good until the next ones are lent. Its zero value is ready.
type Loan struct{}

// Lend ends the loan before and lends p.
func (*Loan) Lend(p []byte) []byte { return p[:len(p):len(p)] }

// End ends the loan.
func (*Loan) End() {}
