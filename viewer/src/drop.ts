// Another recording: dropped on the page, or chosen.

export function acceptFiles(open: (file: File) => void): () => void {
  const sign = document.getElementById("drop")!;
  const input = document.getElementById("file") as HTMLInputElement;
  let depth = 0; // enter and leave come for every element in between
  const hasFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragenter", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    ++depth;
    sign.hidden = false;
  });
  addEventListener("dragover", (event) => {
    if (hasFile(event)) event.preventDefault();
  });
  addEventListener("dragleave", (event) => {
    if (!hasFile(event)) return;
    depth = Math.max(0, depth - 1);
    sign.hidden = depth === 0;
  });
  addEventListener("drop", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    depth = 0;
    sign.hidden = true;
    const file = event.dataTransfer!.files[0];
    if (file !== undefined) open(file);
  });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file !== undefined) open(file);
    input.value = "";
  });
  return () => input.click();
}
