-- CreateTable
CREATE TABLE "products" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "category_id" INTEGER NOT NULL,
    "price" DECIMAL NOT NULL,
    "made" DATETIME NOT NULL,
    "sold_out" BOOLEAN NOT NULL DEFAULT false,
    "note" TEXT,
    "name_search" TEXT NOT NULL DEFAULT '',
    "note_search" TEXT NOT NULL DEFAULT '',
    "created_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))),
    "updated_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))),
    CONSTRAINT "products_category_id_fkey" FOREIGN KEY ("category_id") REFERENCES "categories" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "_products_labels" (
    "A" INTEGER NOT NULL,
    "B" INTEGER NOT NULL,
    CONSTRAINT "_products_labels_A_fkey" FOREIGN KEY ("A") REFERENCES "labels" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "_products_labels_B_fkey" FOREIGN KEY ("B") REFERENCES "products" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "products_sold_out_created_at_id_idx" ON "products"("sold_out", "created_at", "id");

-- CreateIndex
CREATE INDEX "products_category_id_created_at_id_idx" ON "products"("category_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "products_created_at_id_idx" ON "products"("created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "_products_labels_AB_unique" ON "_products_labels"("A", "B");

-- CreateIndex
CREATE INDEX "_products_labels_B_index" ON "_products_labels"("B");
