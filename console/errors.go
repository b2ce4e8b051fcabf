package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
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
	errNoPlayer = &apiError{http.StatusNotFound, codeNotFound, "no such player is in the world"}
	errStopping = &apiError{http.StatusConflict, codeConflict, "the server is stopping"}
	errInternal = &apiError{http.StatusInternalServerError, codeInternal, "something went wrong; the server's log says what"}
)

// asAPI is what is told of an error. Anything that is not expected is internal.
func asAPI(err error) *apiError {
	if e, ok := errors.AsType[*apiError](err); ok {
		return e
	}
	switch {
	case errors.Is(err, session.ErrNobody):
		return errNoPlayer
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
	w.WriteHeader(status)
	w.Write(append(b, '\n')) // a client that is gone needs no answer
}

const maxBody = 64 << 10 // bytes

// readBody decodes the JSON object of a request.
func readBody(w http.ResponseWriter, r *http.Request, into any) error {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		if _, end := d.Token(); end != io.EOF {
			err = end
			if err == nil {
				return badRequest("something follows the JSON object")
			}
		}
	}
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &apiError{http.StatusRequestEntityTooLarge, codeBadRequest, fmt.Sprintf("the body is larger than %d bytes", maxBody)}
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if wrong.Field == "" {
			return badRequest("the body must be a JSON object, not %s", wrong.Value)
		}
		return badRequest("%q must be %s, not %s", wrong.Field, kindName(wrong.Type.String()), wrong.Value)
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

// kindName is what people call a Go type of a body's field.
func kindName(typ string) string {
	switch typ {
	case "string":
		return "a text"
	case "bool":
		return "true or false"
	}
	return "a number in its range"
}
