import fc from 'fast-check'

/** The same cases in every run, so that a failure is the change's; PROPERTY_SEED=<n> looks at others. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.PROPERTY_SEED ?? 1) })
