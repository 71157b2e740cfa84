/** A readable variable is no secret: its value is encrypted like the others, and the API returns it. */
export const sql = `
ALTER TABLE secrets ADD COLUMN is_readable INTEGER NOT NULL DEFAULT 0;
`
