// First in the page: a page that was cut off, on disk or on its way, says so instead of staying empty.
(function () {
  function check() {
    if (window.tribo !== undefined || document.getElementById("cut") !== null || document.body === null) return;
    const box = document.createElement("p");
    box.id = "cut";
    box.setAttribute("role", "alert");
    box.style.cssText =
      "position:fixed;inset:0;z-index:9;margin:0;display:grid;place-items:center;padding:32px;text-align:center;" +
      "font:16px/1.5 system-ui,sans-serif;background:#eef0f3;color:#1b2027";
    box.textContent =
      "This page is not complete: it was cut off when it was written or sent. Get the whole file, or make it again with " +
      "tribo run SCENE --out FILE.";
    document.body.append(box);
  }
  addEventListener("load", check);
  setTimeout(check, 20000); // a server that stops in the middle
})();
