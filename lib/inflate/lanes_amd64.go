package inflate

import "golang.org/x/sys/cpu"

// hasLanes says whether inflateLanes runs on this machine.
var hasLanes = cpu.X86.HasBMI2

// inflateLanes inflates two members as long as at each turn both have fastInput bytes
// of input and fastOutput bytes of room, or until the next symbol of one is none that
// it knows: the end of its block, or none at all. Its stores and loads are within the
// bounds that the lanes have.
//
//go:noescape
func inflateLanes(a, b *lane) stopped
