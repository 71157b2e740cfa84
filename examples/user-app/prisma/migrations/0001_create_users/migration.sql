-- CreateTable
CREATE TABLE "users" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "age" INTEGER NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))),
    "updated_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')))
);

-- CreateIndex
CREATE INDEX "users_created_at_id_idx" ON "users"("created_at", "id");
