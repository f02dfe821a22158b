/** The features with their places in the sources of the server, counted when the program is built. */
declare module '*/features.ts?places' {
  /** By name of the feature: files, and how often it is used in each. */
  const places: Readonly<Record<string, Readonly<Record<string, number>>>>
  export default places
}
