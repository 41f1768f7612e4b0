// Package journal keeps what was changed in files, so that it can be undone, and takes back
// changes of several files that were interrupted.
//
// There is one journal a user, in the user's state folder, and it belongs to that user alone:
// a folder that others can open, a link, or a journal that was copied from elsewhere is not
// believed, for a repository could carry one. An entry is never more than a proposal: it is
// obeyed where the file holds the very text that the entry says it was given, and the texts
// in the journal have the hashes that they are named by.
//
//	journal/
//	  lock      shared by those who write down a change, held alone by who clears away
//	  kept      how much there was when it was cleared last, and how much came since
//	  open/     changes that are prepared and not done, each locked by who makes it
//	  done/     changes that are done, or were taken back
//	  copies/   whole texts, by their SHA-256
//	  shown/    which sections servers have shown, for a day, a file an hour
//
// Which file holds what:
//
//   - place.go: where the journal is, and whether it is believed; record.go: how a change is
//     written down; copies.go: the texts
//   - obey.go: where an entry is obeyed; sites.go: which files a change is about
//   - prepare.go: writing down a change before it is made and when it is done; openrecord.go: the records
//     of those that aren't; recover.go and moved.go: taking back what was interrupted, and what stays for its text may be nowhere
//     else; absent.go: files that aren't found; list.go: what there is; kept.go and clear.go: what is too old or too much, and when it
//     is cleared away; shown.go: what was shown
package journal
