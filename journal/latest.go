package journal

import "context"

// Latest returns at most limit entries that match q, newest first. It ignores q.Limit, so limit may exceed MaxLimit.
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
