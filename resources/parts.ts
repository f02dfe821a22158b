/**
 * Names of cells and inputs that definitions may ask for (`as`) beside those of the kinds. The browser has one component for
 * each of them (`src/screens/fields/cells.tsx` and `inputs.tsx`); a name without one does not compile, nor does one without a name.
 */
declare module '#engine' {
  interface NamedCells {
    tag: true
    phases: true
    windows: true
    deadline: true
    heat: true
    left: true
    ofCapacity: true
    move: true
    reached: true
    scopeNames: true
    link: true
    copy: true
    owner: true
    deed: true
    sentence: true
    events: true
    parameter: true
    hardRules: true
    ticketPics: true
    expenseItems: true
    jobGraph: true
  }
  interface NamedInputs {
    stages: true
    audience: true
    hardRules: true
    ticketPics: true
    timeSpan: true
    pattern: true
    parameter: true
    jobTiming: true
    expenseItems: true
    jobProcessor: true
    jobWorkers: true
    nodesBefore: true
    nodeJob: true
    events: true
  }
}

export type {}
