/**
 * Returns the names that `prisma generate` 7.10 exports for a model, measured on a schema with every kind
 * of relation. The generated files have `@ts-nocheck`: if two models share a name, the types are wrong
 * without an error. Names that contain a relation's name (`CreateWithout…Input`) are not listed.
 */
export function prismaNames(type: string): ReadonlySet<string> {
  return new Set([
    `Aggregate${type}`,
    `Get${type}AggregateType`,
    `Get${type}GroupByPayload`,
    ...suffixes.map((suffix) => type + suffix),
  ])
}

const suffixes = `
  AggregateArgs AvgAggregateInputType AvgAggregateOutputType AvgOrderByAggregateInput
  CountAggregateInputType CountAggregateOutputType CountArgs CountOrderByAggregateInput
  CountOutputType CountOutputTypeDefaultArgs CountOutputTypeSelect CreateArgs CreateInput
  CreateManyAndReturnArgs CreateManyArgs CreateManyInput DefaultArgs Delegate DeleteArgs
  DeleteManyArgs FieldRefs FindFirstArgs FindFirstOrThrowArgs FindManyArgs FindUniqueArgs
  FindUniqueOrThrowArgs GetPayload GroupByArgs GroupByOutputType Include
  IncludeCreateManyAndReturn IncludeUpdateManyAndReturn ListRelationFilter
  MaxAggregateInputType MaxAggregateOutputType MaxOrderByAggregateInput MinAggregateInputType
  MinAggregateOutputType MinOrderByAggregateInput Model NullableScalarRelationFilter Omit
  OrderByRelationAggregateInput OrderByWithAggregationInput OrderByWithRelationInput
  ScalarFieldEnum ScalarRelationFilter ScalarWhereInput ScalarWhereWithAggregatesInput Select
  SelectCreateManyAndReturn SelectScalar SelectUpdateManyAndReturn SumAggregateInputType
  SumAggregateOutputType SumOrderByAggregateInput UncheckedCreateInput UncheckedUpdateInput
  UncheckedUpdateManyInput UpdateArgs UpdateInput UpdateManyAndReturnArgs UpdateManyArgs
  UpdateManyMutationInput UpsertArgs WhereInput WhereUniqueInput
`
  .trim()
  .split(/\s+/)
