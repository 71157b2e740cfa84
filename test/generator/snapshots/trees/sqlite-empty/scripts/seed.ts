// `npm run seed`: creates sample records in the running app, except of kinds that have some. SEED is a number from 0 to 4
// and selects the values.

console.log('there are no features to create records of')
