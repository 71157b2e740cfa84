/** `webhook_at` is the time of the first push that a webhook reported: the daemon polls the heads of such projects only. */
export const sql = `
ALTER TABLE projects ADD COLUMN webhook_secret TEXT;
ALTER TABLE projects ADD COLUMN webhook_at INTEGER;
UPDATE projects SET webhook_at = (
  SELECT min(created_at) FROM environments
  WHERE project_id = projects.id AND operator LIKE 'webhook:%'
);
`
