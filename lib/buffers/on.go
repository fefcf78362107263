//go:build spoil

package buffers

// Spoiling reports whether buffers are filled when they are given back.
const Spoiling = true

// Spoil fills a buffer up to its capacity.
func Spoil(p []byte) {
	p = p[:cap(p)]
	for i := range p {
		p[i] = Fill
	}
}

// A Loan is bytes that are good until the next ones are lent. Its zero value is ready.
type Loan struct{ lent []byte }

// Lend ends the loan before and lends p, as a copy of its own.
func (l *Loan) Lend(p []byte) []byte {
	if p == nil {
		l.End()
		return nil
	}
	copied := make([]byte, len(p))
	copy(copied, p) // which may lie in the loan before
	l.End()
	l.lent = copied
	return copied
}

// End ends the loan.
func (l *Loan) End() {
	Spoil(l.lent)
	l.lent = nil
}
