package journal

import "context"

// Latest returns the newest entries that match q, newest first, at most limit. q.Limit is ignored, so that limit may
// exceed MaxLimit.
func (r *Reader) Latest(ctx context.Context, q Query, limit int) ([]Entry, error) {
	var all []Entry
	for len(all) < limit {
		q.Limit = min(limit-len(all), MaxLimit)
		list, err := r.Entries(ctx, q)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
		if len(list) < q.Limit {
			break
		}
		q.Before = list[len(list)-1].ID
	}
	return all, nil
}
