-- CreateTable
CREATE TABLE "parcels" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "order_line_id" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))),
    "updated_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))),
    CONSTRAINT "parcels_order_line_id_fkey" FOREIGN KEY ("order_line_id") REFERENCES "order_lines" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "parcels_code_key" ON "parcels"("code");

-- CreateIndex
CREATE INDEX "parcels_order_line_id_created_at_id_idx" ON "parcels"("order_line_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "parcels_created_at_id_idx" ON "parcels"("created_at", "id");
