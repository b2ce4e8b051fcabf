// Package gateway is the part that the UDP doors share, below their protocols: the socket (Conn, Socket), received
// datagrams on their way to workers, the local address that answers leave from, counters of dropped packets, and blocking
// calls that run beside a worker and report back to it. Each door is a folder below.
package gateway
