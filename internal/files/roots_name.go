package files

import "path"

// Name returns what names the file at path whatever way leads there: two paths
// have the same name if they lead to the same place, through links or through
// roots that overlap. It is a path of the host, which is not to be shown. Its
// errors are those of Resolve.
func (r *Roots) Name(name string) (string, error) {
	var clean string
	err := r.visit(name, func(w *way) error {
		clean = path.Join(w.root.real, w.clean())
		return nil
	})
	return clean, err
}
