/**
 * Own domains of projects with their certificates, and the accounts at certificate authorities. `branch` NULL stands
 * for the default branch. One statement writes a certificate with its key.
 */
export const sql = `
CREATE TABLE domains (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  domain TEXT NOT NULL UNIQUE,
  branch TEXT,
  created_at INTEGER NOT NULL,
  certificate TEXT,
  certificate_key TEXT,
  not_before INTEGER,
  not_after INTEGER,
  fault TEXT,
  failures INTEGER NOT NULL DEFAULT 0,
  try_after INTEGER NOT NULL DEFAULT 0,
  CHECK ((certificate IS NULL) = (certificate_key IS NULL)
    AND (certificate IS NULL) = (not_before IS NULL)
    AND (certificate IS NULL) = (not_after IS NULL))
) STRICT;
CREATE INDEX domains_by_project ON domains (project_id);

CREATE TABLE acme_accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  directory TEXT NOT NULL UNIQUE,
  account_key TEXT NOT NULL
) STRICT;
`
