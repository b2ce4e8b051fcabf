package sqlite

import "github.com/truestep-io/truestep/store/ledger"

// ledgerSuffix is appended to the name of the database to get the name of its ledger. If an operator copies truestep.db*,
// the ledger is copied too.
const ledgerSuffix = "-ledger"

// state is what the database contains after a commit. It is stored in the only row of table store and in a line of the
// ledger.
type state = ledger.Commit
