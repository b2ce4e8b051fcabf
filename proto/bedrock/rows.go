package bedrock

// rows is the table, sorted by number.
var rows = []Row{
	row(IDLogin, "Login", ToServer, InLogin, ParseLogin),
	row(IDPlayStatus, "PlayStatus", ToClient, Anytime, ParsePlayStatus),
	row(IDServerToClientHandshake, "ServerToClientHandshake", ToClient, InHandshake, ParseServerToClientHandshake),
	row(IDClientToServerHandshake, "ClientToServerHandshake", ToServer, InHandshake, ParseClientToServerHandshake),
	row(IDDisconnect, "Disconnect", BothWays, Anytime, ParseDisconnect),
	row(IDResourcePacksInfo, "ResourcePacksInfo", ToClient, InPacks, ParseResourcePacksInfo),
	row(IDResourcePackStack, "ResourcePackStack", ToClient, InPacks, ParseResourcePackStack),
	row(IDResourcePackClientResponse, "ResourcePackClientResponse", ToServer, Accepted, ParseResourcePackClientResponse),
	row(IDSetTime, "SetTime", ToClient, Joined, ParseSetTime),
	row(IDStartGame, "StartGame", ToClient, InStart, ParseStartGame),
	row(IDTickSync, "TickSync", BothWays, Joined, ParseTickSync),
	row(IDLevelChunk, "LevelChunk", ToClient, Joined, ParseLevelChunk),
	row(IDRequestChunkRadius, "RequestChunkRadius", ToServer, Accepted, ParseRequestChunkRadius),
	row(IDChunkRadiusUpdated, "ChunkRadiusUpdated", ToClient, Joined, ParseChunkRadiusUpdated),
	row(IDSetLocalPlayerAsInitialized, "SetLocalPlayerAsInitialized", ToServer, Joined, ParseSetLocalPlayerAsInitialized),
	row(IDAvailableActorIdentifiers, "AvailableActorIdentifiers", ToClient, Joined, ParseAvailableActorIdentifiers),
	row(IDNetworkChunkPublisherUpdate, "NetworkChunkPublisherUpdate", ToClient, Joined, ParseNetworkChunkPublisherUpdate),
	row(IDBiomeDefinitionList, "BiomeDefinitionList", ToClient, Joined, ParseBiomeDefinitionList),
	row(IDClientCacheStatus, "ClientCacheStatus", ToServer, Accepted, ParseClientCacheStatus),
	row(IDNetworkSettings, "NetworkSettings", ToClient, InLogin, ParseNetworkSettings),
	row(IDCreativeContent, "CreativeContent", ToClient, Joined, ParseCreativeContent),
	row(IDItemRegistry, "ItemRegistry", ToClient, Joined, ParseItemRegistry),
	row(IDRequestNetworkSettings, "RequestNetworkSettings", ToServer, InLogin, ParseRequestNetworkSettings),
}
