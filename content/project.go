package content

import (
	"io/fs"
	"path"
	"strings"

	"github.com/truestep-io/truestep/sim"
)

// ProjectOptions are settings that the operator gives for a RealmCrafter project, because the project's files do not contain
// them.
type ProjectOptions struct {
	// NeutralZeroResistances interprets a resistance table that is all zeros as neutral (100). The editor writes such
	// tables; without this option every hit does 100 points more damage.
	NeutralZeroResistances bool

	// Rules is the content of a rules file, nil if there is none. The file has the format of a world file with only the tables
	// [rules], [newcomers], [[look]], [[field]], [[command]] and [[event]]. It overrides settings of the project, and sets those that
	// a project leaves to scripts, such as respawn, and the appearance for clients of other doors.
	Rules     []byte
	RulesName string // name of the rules file in error messages
}

// Project is a loaded RealmCrafter project.
type Project struct {
	World *World // the world that the project describes
	Port  int    // UDP port that the project's clients use; 25000 by default
}

// LoadProject reads a project that was saved by the RealmCrafter editor. The root of fsys is the folder with "Server
// Data", or its parent. The case of file names is ignored. Nothing is written.
//
// LoadProject is stricter than the RealmCrafter server, which reads missing bytes as zeros: it refuses a project with a
// file that is truncated, too long or has impossible numbers. Then the project is nil, and the error is of type Problems
// and names the offsets of the damage. Content that looks wrong but worked in the RealmCrafter server causes a Warning
// that says what this server does instead. Scripts are not run; for each script there is one Warning, which names it.
func LoadProject(fsys fs.FS, opts ProjectOptions) (*Project, []Warning, error) {
	files, err := openProject(fsys)
	if err != nil {
		return nil, nil, err
	}
	raw := readProject(files)
	if err := files.problems.err(); err != nil {
		return nil, nil, err
	}
	b := newProjectBuilder(files, raw, opts)
	b.build()
	if err := files.problems.err(); err != nil {
		return nil, nil, err
	}
	b.w.ContentHash = files.hash ^ hashOf(opts.Rules)
	return &Project{World: &World{b.w, b.appearance}, Port: b.port()}, files.warnings, nil
}

// rcProject holds the parsed files of a project, as far as a server uses them.
type rcProject struct {
	misc        rcMisc
	fixed       rcFixed
	attributes  *rcAttributes
	damage      [20]string
	spells      []rcSpell
	factions    *rcFactions
	actors      []rcActor
	items       []rcItem
	projectiles []rcProjectile
	areas       []*rcArea
	filter      []string
	environment *rcEnvironment // contents of Environment.dat; nil if the file is missing

	gameName    string // name of the game; "" if the client's files do not contain it
	clientFixed *rcFixed
	combat      *rcCombat
	other       *rcOther
	hosts       []string
}

// readProject reads all files of a project. It adds the problems and warnings that it finds to the parameter files.
func readProject(files *projectFiles) *rcProject {
	r := &rcProject{}
	r.attributes = readRequired(files, serverData+"/Attributes.dat", parseAttributes)
	r.damage = readRequired(files, serverData+"/Damage.dat", parseDamage)
	r.spells = readRequired(files, serverData+"/Spells.dat", parseSpells)
	r.factions = readRequired(files, serverData+"/Factions.dat", parseFactions)
	r.actors = readRequired(files, serverData+"/Actors.dat", parseActors)
	r.items = readRequired(files, serverData+"/Items.dat", func(c *cursor) ([]rcItem, error) {
		list, _, err := parseItems(c)
		return list, err
	})
	r.projectiles = readRequired(files, serverData+"/Projectiles.dat", parseProjectiles)
	r.misc = readRequired(files, serverData+"/Misc.dat", parseMisc)
	r.fixed = readRequired(files, serverData+"/Fixed Attributes.dat", parseFixed)
	if b, ok := files.required(serverData + "/Names Filter.txt"); ok {
		r.filter = nameFilter(b)
	}
	readAreas(files, r)
	readClientSettings(files, r)
	readState(files, r)
	return r
}

func readAreas(files *projectFiles, r *rcProject) {
	list := files.list(areaFolder, ".dat")
	if why := tooManyAreas(len(list)); why != "" {
		files.fail(areaFolder, "%s", why)
		return
	}
	for _, file := range list {
		name := file[:len(file)-len(".dat")]
		full := areaFolder + "/" + file
		if len(name) > nameLimit-1 {
			files.fail(full, "area name of %d bytes: use at most %d, clients read one length byte", len(name), nameLimit-1)
			continue
		}
		for _, a := range r.areas {
			if sim.EqualFold(a.Name, name) {
				files.warn("AREA-DUPLICATE", full, "file", "another file has the area %s already: this file is not imported", a.Name)
				name = ""
				break
			}
		}
		if name == "" {
			continue
		}
		a := readRequired(files, full, func(c *cursor) (*rcArea, error) { return parseArea(c, name) })
		r.areas = append(r.areas, a)
	}
	if len(r.areas) == 0 {
		files.fail(areaFolder, "the project has no area: create one in the editor and save the project")
	}
}

// readClientSettings reads those client files of a project that contain copies of server settings. Missing files are
// skipped.
func readClientSettings(files *projectFiles, r *rcProject) {
	if v, ok := readOptional(files, gameData+"/Fixed Attributes.dat", parseClientFixed); ok {
		r.clientFixed = &v
	}
	if v, ok := readOptional(files, gameData+"/Combat.dat", parseCombat); ok {
		r.combat = &v
	}
	if v, ok := readOptional(files, gameData+"/Other.dat", parseOther); ok {
		r.other = &v
	}
	if b, ok := files.optional(gameData + "/Hosts.dat"); ok {
		r.hosts = textLines(b)
	}
	if b, ok := files.optional(gameData + "/Misc.dat"); ok {
		const lines = 3
		got := textLines(b)
		if len(got) > 0 {
			r.gameName = strings.TrimSpace(got[0])
		}
		if len(got) < lines {
			files.warn("SHORT-OPTIONAL", gameData+"/Misc.dat", "file", "the file has %d of at least %d lines", len(got), lines)
		}
	}
}

// readState reads the files that the RealmCrafter server wrote while it ran. Only the calendar in them is imported.
func readState(files *projectFiles, r *rcProject) {
	var ok bool
	if r.environment, ok = readOptional(files, serverData+"/Environment.dat", parseEnvironment); !ok {
		files.missingOptional("Environment.dat", "there is no calendar, and none is needed")
	}
	files.missingOptional("Accounts.dat", "there are no accounts to take over")
	if list, ok := readOptional(files, serverData+"/Dropped Items.dat", parseDropped); ok && len(list) > 0 {
		files.warn("DROPPED-ITEMS", serverData+"/Dropped Items.dat", "file", "%d items on the ground are not imported", len(list))
	}
}

// missingOptional adds a warning if a file is missing. The parameter instead is the end of the warning's text: what the server does
// without the file. A file that exists but is damaged causes no warning, because the damage has been reported as a problem.
func (p *projectFiles) missingOptional(name, instead string) {
	full := serverData + "/" + name
	if _, there := p.resolve(path.Join(p.root, full)); !there {
		p.warn("MISSING-OPTIONAL", full, "file", "the file is missing: %s", instead)
	}
}
