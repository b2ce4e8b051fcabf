// Package raknet speaks RakNet as Minecraft: Bedrock uses it.
package raknet
