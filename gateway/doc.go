// Package gateway has what doors over UDP share and none of what they say: the socket, its datagrams on their way to
// workers, the address of ours that answers leave from, counts of what was dropped, and calls that may wait, which are made
// beside a worker and end in it. Each door is a folder below.
package gateway
