/** The processes of an environment that are down now, as JSON: name and reason. */
export const sql = `
ALTER TABLE environments ADD COLUMN process_faults TEXT;
`
