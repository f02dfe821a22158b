import { defineConfig } from 'vitest/config'
import { webConfig } from './src/web/build.ts'
import { featurePlacesPlugin } from './tools/build/feature-places.ts'
import { refusalCodesAsOne } from './tools/build/refusal-codes.ts'
import { threadsOnce } from './tools/build/threads.ts'
import { LongFirst } from './tools/long-first.ts'
import { memoryFolder } from './tools/memory-folder.ts'
import { withOwnWindow } from './tools/own-window.ts'

const root = import.meta.dirname
const alone = withOwnWindow(root)

// What measures or fills databases uses the disk that there is.
const isOnDisk = process.argv.some(arg => /^(--project=)?(bench|operate|long)$/.test(arg))
const inMemory = process.env.TMPDIR || isOnDisk ? undefined : memoryFolder()
if (inMemory) process.env.TMPDIR = inMemory

/** Tests that stand beside pages and what they are made of. */
const ofPages = ['src/{web,screens}/**/*.test.{ts,tsx}', 'src/**/{pages,browser}/**/*.test.{ts,tsx}']

/** Tests of pages run in a simulated browser, types in the compiler, all others in Node with a PostgreSQL of their own. */
export default defineConfig({
  root,
  define: { REFUSAL: refusalCodesAsOne },
  plugins: [threadsOnce, featurePlacesPlugin(root)],
  test: {
    // A loaded or slow machine takes its time, five times what a quick one needs; a wait ends as soon as it is met.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          // The program keeps nothing in its modules, so files may share them; reading it anew for each took a third of the time.
          isolate: false,
          // Servers by the hundred are made and left: with more room for what is young, less of it is moved before it goes.
          execArgv: ['--max-semi-space-size=64'],
          // Processes that start, end and are killed are waited for: a third file has the processors meanwhile.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
          globalSetup: 'tests/helper/cluster.ts',
          setupFiles: 'tests/helper/refusals.ts',
          include: ['tests/*.test.ts', 'tests/{engine,server}/**/*.test.ts', 'src/**/*.test.ts'],
          exclude: ofPages,
        },
      },
      {
        extends: true,
        plugins: webConfig.plugins,
        test: {
          name: 'web',
          environment: 'jsdom',
          // A window and its modules take longer to make than most files take to run, so files share them.
          isolate: false,
          pool: 'threads',
          setupFiles: 'tests/helper/shared-window.ts',
          sequence: { groupOrder: 1 },
          include: ['tests/web/**/*.test.{ts,tsx}', ...ofPages],
          exclude: alone,
        },
      },
      {
        extends: true,
        plugins: webConfig.plugins,
        test: {
          name: 'web-isolated',
          environment: 'jsdom',
          // Begun for each file, which a thread does sooner than a process.
          pool: 'threads',
          sequence: { groupOrder: 1 },
          include: alone,
        },
      },
      {
        extends: true,
        test: {
          name: 'types',
          sequence: { groupOrder: 1 },
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ['tests/**/*.test-d.ts'],
            tsconfig: 'tests/tsconfig.types.json',
            ignoreSourceErrors: true,
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          isolate: false,
          globalSetup: ['tests/helper/cluster.ts', 'tests/e2e/built.ts'],
          setupFiles: 'tests/e2e/report.ts',
          include: ['tests/e2e/**/*.test.ts'],
          // When the others are done: pages are timed by people's patience.
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          globalSetup: ['tests/helper/cluster.ts', 'tests/e2e/built.ts'],
          setupFiles: 'tests/e2e/report.ts',
          include: ['tests/long/**/*.test.ts'],
          // One file after another: each kills or loads servers of its own.
          maxWorkers: 1,
          testTimeout: 1_200_000,
          hookTimeout: 240_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'operate',
          include: ['tests/operate/**/*.test.ts'],
          // One trial after another: each has the programs of others and the servers to itself.
          maxWorkers: 1,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'look',
          globalSetup: ['tests/helper/cluster.ts', 'tests/e2e/built.ts'],
          include: ['tools/look/**/*.look.ts'],
          maxWorkers: 1,
          testTimeout: 3_600_000,
        },
      },
      {
        extends: true,
        // One after another: two that are measured side by side would measure each other.
        test: { name: 'bench', include: ['tools/bench/**/*.bench.ts'], maxWorkers: 1, testTimeout: 240_000 },
      },
    ],
  },
})
