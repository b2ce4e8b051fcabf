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
	"github.com/truestep-io/truestep/store"
)

// Codes of errors, for programs.
const (
	codeUnauthorized = "unauthorized" // 401
	codeExpired      = "expired"      // 401
	codeForbidden    = "forbidden"    // 403
	codeNotFound     = "not_found"    // 404
	codeBadRequest   = "bad_request"  // 400, 405, 413
	codeThrottled    = "throttled"    // 429
	codeConflict     = "conflict"     // 409
	codeInternal     = "internal"     // 500
)

// apiError is an answer that says no.
type apiError struct {
	status  int
	code    string
	message string // for people, without a full stop
}

func (e *apiError) Error() string { return e.message }

func badRequest(format string, args ...any) error {
	return &apiError{http.StatusBadRequest, codeBadRequest, fmt.Sprintf(format, args...)}
}

func notFound(format string, args ...any) error {
	return &apiError{http.StatusNotFound, codeNotFound, fmt.Sprintf(format, args...)}
}

var (
	errNoPlayer     = &apiError{http.StatusNotFound, codeNotFound, "no such player is in the world"}
	errOtherRun     = &apiError{http.StatusConflict, codeConflict, "the server was started again, and players have other numbers now: look again who is meant"}
	errDead         = &apiError{http.StatusConflict, codeConflict, "the dead stay where they fell: wait until the player lives again"}
	errOrderTimeout = &apiError{http.StatusConflict, codeConflict, "the player's area has not said in time whether it was done: look before you try again"}
	errStopping     = &apiError{http.StatusConflict, codeConflict, "the server is stopping"}
	errInternal     = &apiError{http.StatusInternalServerError, codeInternal, "something went wrong; the server's log says what"}
)

// toAPIError is what is told of an error. Anything that is not expected is internal.
func toAPIError(err error) *apiError {
	if e, ok := errors.AsType[*apiError](err); ok {
		return e
	}
	switch {
	case errors.Is(err, session.ErrNobody):
		return errNoPlayer
	case errors.Is(err, session.ErrDead):
		return errDead
	case errors.Is(err, session.ErrUnheard):
		return errOrderTimeout
	case errors.Is(err, store.ErrNotFound):
		return &apiError{http.StatusNotFound, codeNotFound, "there is no such account"}
	case errors.Is(err, area.ErrClosed), errors.Is(err, session.ErrClosed):
		return errStopping
	}
	return errInternal
}

// errorBody is how errors are written.
type errorBody struct {
	Error struct {
		Code    string `json:"code"`
		Message string `json:"message"`
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
		panic(err) // plain data of ours; floats are checked where they come from
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	b = append(b, '\n')
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	w.Write(b) // a client that is gone needs no answer
}

const maxBody = 64 << 10 // bytes

// readBody decodes the JSON object of a request. Its fields are those that the call has, each once and spelled as it is:
// what two readers could understand differently is refused.
func readBody(w http.ResponseWriter, r *http.Request, into any) error {
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(b))
		d.DisallowUnknownFields()
		if err = d.Decode(into); err == nil {
			if _, end := d.Token(); end == nil {
				return badRequest("something follows the JSON object")
			} else if end != io.EOF {
				err = end
			}
		}
	}
	if err == nil {
		return checkFields(b, into)
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &apiError{http.StatusRequestEntityTooLarge, codeBadRequest, fmt.Sprintf("the body is larger than %d bytes", maxBody)}
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
		return badRequest("the body is no JSON: %v at byte %d", wrong, wrong.Offset)
	}
	return badRequest("the body is no JSON object")
}

// checkFields refuses a field that is there twice or in other letters than the call has it, which encoding/json takes.
// b is what was decoded into a struct of flat fields.
func checkFields(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if t, _ := d.Token(); t != json.Delim('{') {
		return nil // null
	}
	known := reflect.TypeOf(into).Elem()
	seen := map[string]bool{}
	for d.More() {
		name, _ := d.Token()
		field, _ := name.(string)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return badRequest("the body is no JSON object")
		}
		if seen[field] {
			return badRequest("%q is there twice", field)
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

// typeName is what people call a Go type of a body's field.
func typeName(typ string) string {
	switch typ {
	case "string":
		return "a text"
	case "bool":
		return "true or false"
	}
	return "a number in its range"
}
