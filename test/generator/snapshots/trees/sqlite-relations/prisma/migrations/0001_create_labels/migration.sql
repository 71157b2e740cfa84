-- CreateTable
CREATE TABLE "labels" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "hue" TEXT NOT NULL DEFAULT 'red',
    "created_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))),
    "updated_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')))
);

-- CreateIndex
CREATE INDEX "labels_created_at_id_idx" ON "labels"("created_at", "id");
