// Package guiding answers requests about guides: it lists and delivers the categories that a
// project and its user have configured, and changes that configuration.
package guiding
