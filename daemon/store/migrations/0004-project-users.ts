/** No foreign key: the user stays reserved until nothing of a removed project is left. */
export const sql = `
CREATE TABLE project_users (
  project_id INTEGER PRIMARY KEY,
  uid INTEGER NOT NULL UNIQUE
) STRICT;
`
