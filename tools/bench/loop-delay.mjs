import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

// Loaded into the server's own process: a signal writes what its event loop was held for and begins anew.
const resolution = 1
const histogram = monitorEventLoopDelay({ resolution })
histogram.enable()

const ms = nanoseconds => Math.max(0, nanoseconds / 1e6 - resolution)

process.on('SIGUSR2', () => {
  const { max, count } = histogram
  writeFileSync(process.env.LOOP_DELAY_FILE, JSON.stringify({ max: ms(max), p99: ms(histogram.percentile(99)), count }))
  histogram.reset()
})
