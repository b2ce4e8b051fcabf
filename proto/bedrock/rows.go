package bedrock

// rows is the table, sorted by number.
var rows = []Row{
	row(IDNetworkSettings, "NetworkSettings", ToClient, InLogin, ParseNetworkSettings),
	row(IDRequestNetworkSettings, "RequestNetworkSettings", ToServer, InLogin, ParseRequestNetworkSettings),
}
