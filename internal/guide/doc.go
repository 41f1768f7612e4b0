// Package guide serves categories of a project's guidance: it finds the files
// that a pattern means, reads them through a handle on the category's folder,
// renders templates, and puts several files into one multipart message.
//
// What a category is comes from package config. No message of an error names a
// path of the host.
package guide
