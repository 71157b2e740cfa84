setInterval(() => console.log('the worker runs'), 60_000)
