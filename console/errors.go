package console

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// Machine-readable error codes, each with the HTTP statuses that it is used with.
const (
	codeUnauthorized = "unauthorized" // status 401
	codeExpired      = "expired"      // status 401
	codeForbidden    = "forbidden"    // status 403
	codeNotFound     = "not_found"    // status 404
	codeBadRequest   = "bad_request"  // status 400, 405 or 413
	codeThrottled    = "throttled"    // status 429
	codeConflict     = "conflict"     // status 409
	codeInternal     = "internal"     // status 500
	codeUnavailable  = "unavailable"  // status 503
)

// apiError is an error response of the API.
type apiError struct {
	status  int    // HTTP status code
	code    string // one of the codes above
	message string // shown to the operator, without a full stop
}

// Error returns the message that the API sends.
func (e *apiError) Error() string { return e.message }

func badRequest(format string, args ...any) error {
	return &apiError{http.StatusBadRequest, codeBadRequest, fmt.Sprintf(format, args...)}
}

func notFound(format string, args ...any) error {
	return &apiError{http.StatusNotFound, codeNotFound, fmt.Sprintf(format, args...)}
}

var (
	errNoPlayer     = &apiError{http.StatusNotFound, codeNotFound, "no such player is in the world"}
	errOtherRun     = &apiError{http.StatusConflict, codeConflict, "the server was restarted and players have new entity ids: reload the list and select the player again"}
	errNoLiveWorld  = &apiError{http.StatusNotFound, codeNotFound, "there is no live world: this console shows recordings only"}
	errDead         = &apiError{http.StatusConflict, codeConflict, "the player is dead: wait until it respawns"}
	errOrderTimeout = &apiError{http.StatusConflict, codeConflict, "the player's area did not confirm the action in time: check whether it was done before you retry"}
	errStopping     = &apiError{http.StatusConflict, codeConflict, "the server is stopping"}
	errNoNPC        = &apiError{http.StatusNotFound, codeNotFound, "no such NPC is in the world"}
	errNPCLimit     = &apiError{http.StatusConflict, codeConflict, fmt.Sprintf("operators have created %d NPCs in this area, which is the maximum: remove some first", sim.MaxSpawnedNPCs)}
	errNoFrame      = &apiError{http.StatusConflict, codeConflict, "the area does not answer in time: its ticks are late"}
	errNoDatabase   = &apiError{http.StatusServiceUnavailable, codeUnavailable, "the database cannot be reached: a change may have been made or not, so check it before you repeat it"}
	errInternal     = &apiError{http.StatusInternalServerError, codeInternal, "internal error; see the server's log"}
)

// toAPIError returns the response for an error. Unexpected errors become errInternal.
func toAPIError(err error) *apiError {
	if e, ok := errors.AsType[*apiError](err); ok {
		return e
	}
	if errors.Is(err, store.ErrUnavailable) {
		return errNoDatabase
	}
	if e := accountError(err); e != nil {
		return e
	}
	if e := clusterError(err); e != nil {
		return e
	}
	switch {
	case errors.Is(err, session.ErrNotInWorld):
		return errNoPlayer
	case errors.Is(err, session.ErrDead):
		return errDead
	case errors.Is(err, session.ErrNoNPC):
		return errNoNPC
	case errors.Is(err, session.ErrNoRoom), errors.Is(err, session.ErrNotCarried), errors.Is(err, session.ErrAreaFull):
		return &apiError{http.StatusConflict, codeConflict, err.Error()}
	case errors.Is(err, session.ErrNPCLimit):
		return errNPCLimit
	case errors.Is(err, session.ErrOrderTimeout):
		return errOrderTimeout
	case errors.Is(err, session.ErrInvalid):
		return &apiError{http.StatusBadRequest, codeBadRequest, "the value is not valid"}
	case errors.Is(err, store.ErrTooManyRules):
		return &apiError{http.StatusConflict, codeConflict, store.ErrTooManyRules.Error()}
	case errors.Is(err, store.ErrNotFound):
		return &apiError{http.StatusNotFound, codeNotFound, "there is no such account"}
	case errors.Is(err, area.ErrClosed), errors.Is(err, session.ErrClosed):
		return errStopping
	}
	return errInternal
}

// errorBody is the JSON body of an error response.
type errorBody struct {
	// Error is the only field of an error response.
	Error struct {
		Code    string `json:"code"`    // machine-readable code, such as "not_found"
		Message string `json:"message"` // text for the operator
	} `json:"error"`
}

func writeError(w http.ResponseWriter, e *apiError) {
	var body errorBody
	body.Error.Code, body.Error.Message = e.code, e.message
	if e.status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "60")
	}
	if e.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="truestep"`)
	}
	writeJSON(w, e.status, body)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	b, err := json.Marshal(body)
	if err != nil {
		panic(err) // cannot happen: bodies are plain structs with finite floats
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	b = append(b, '\n')
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	w.Write(b) // an error means that the client has disconnected, so it is ignored
}

const maxBody = 64 << 10 // maximum size of a request body in bytes

// readBody decodes the JSON object of a request. It refuses unknown fields. It also refuses a field that occurs twice, or whose
// name differs from the defined one in upper and lower case, because two parsers could read it differently.
func readBody(w http.ResponseWriter, r *http.Request, into any) error {
	b, err := receiveBody(w, r)
	if err != nil {
		return err
	}
	return decodeBody(b, into)
}

// readOptionalBody decodes the JSON object of a request as readBody does. If the request has no body, it does nothing.
func readOptionalBody(w http.ResponseWriter, r *http.Request, into any) error {
	b, err := receiveBody(w, r)
	if err != nil || len(b) == 0 {
		return err
	}
	return decodeBody(b, into)
}

// receiveBody returns the body of a request, of at most maxBody bytes.
func receiveBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, &apiError{http.StatusRequestEntityTooLarge, codeBadRequest, fmt.Sprintf("the body is larger than %d bytes", maxBody)}
	}
	if err != nil {
		return nil, badRequest("the body is not a JSON object")
	}
	return b, nil
}

// decodeBody decodes a JSON object, as strictly as readBody.
func decodeBody(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		if _, end := d.Token(); end == nil {
			return badRequest("the body has data after the JSON object")
		} else if end != io.EOF {
			err = end
		}
	}
	if err == nil {
		return checkFields(b, into)
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if wrong.Field == "" {
			return badRequest("the body must be a JSON object, not %s", wrong.Value)
		}
		return badRequest("%q must be %s, not %s", wrong.Field, typeName(wrong.Type.String()), wrong.Value)
	}
	if err == io.EOF {
		return badRequest("the body is empty: send a JSON object")
	}
	if field, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return badRequest("unknown field %s", field)
	}
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		return badRequest("the body is not valid JSON: %v at byte %d", wrong, wrong.Offset)
	}
	return badRequest("the body is not a JSON object")
}

// checkFields returns an error if a field occurs twice, or if its name differs from the defined one in upper and lower case.
// encoding/json accepts both. The parameter b is the JSON that was decoded into the struct to which into points. The struct must
// not have embedded structs.
func checkFields(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if t, _ := d.Token(); t != json.Delim('{') {
		return nil // the body is the JSON value null
	}
	known := reflect.TypeOf(into).Elem()
	seen := map[string]bool{}
	for d.More() {
		name, _ := d.Token()
		field, _ := name.(string)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return badRequest("the body is not a JSON object")
		}
		if seen[field] {
			return badRequest("%q occurs twice", field)
		}
		seen[field] = true
		is := false
		for i := range known.NumField() {
			is = is || known.Field(i).Tag.Get("json") == field
		}
		if !is {
			return badRequest("unknown field %q", field)
		}
	}
	return nil
}

// typeName describes, for error messages, the values that a request field accepts, such as "true or false". The parameter
// typ is the Go type of the field.
func typeName(typ string) string {
	switch typ {
	case "string":
		return "a string"
	case "bool":
		return "true or false"
	case reflect.TypeFor[nameOrID]().String():
		return "a name or a number"
	}
	return "a number in range"
}
