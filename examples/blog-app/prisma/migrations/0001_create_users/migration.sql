-- CreateTable
CREATE TABLE "users" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'user',
    "token_version" INTEGER NOT NULL DEFAULT 0,
    "kept_token" TEXT,
    "revoked_tokens" TEXT NOT NULL DEFAULT '',
    "created_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))),
    "updated_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')))
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "users_created_at_id_idx" ON "users"("created_at", "id");
