declare module 'bpmn-auto-layout' {
  /** Lays out the first process of a model; answers the model with its drawing. */
  export function layoutProcess(xml: string): Promise<string>
}
