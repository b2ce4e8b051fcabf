package sqlite

import "github.com/truestep-io/truestep/store/ledger"

// ledgerSuffix is appended to the name of the database for its ledger. A copy of truestep.db* includes it.
const ledgerSuffix = "-ledger"

// state is what the database contains after a commit. It is one row of table store and one line of the ledger.
type state = ledger.Commit
