// Stands for packages that dockerode loads and the daemon never calls. A call is a bug and says so.
function unused() {
  throw new Error(
    'this build of stratad has no SSH, gRPC or protobuf: expected a unix or tcp engine',
  )
}

module.exports = Object.assign(() => () => {}, { Client: unused, pack: unused, extract: unused })
