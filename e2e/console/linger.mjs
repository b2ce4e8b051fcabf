/**
 * How long a player without a connection stays in the world of these checks, in seconds. The 10 s of the embedded world may be over
 * before the page of a busy machine has shown that the connection is lost and the player has come back.
 */
export const LINGER_S = 40;
