"""What QGIS reads of a service, as JSON: a collection, a filter of it, and its tiles drawn."""
import json
import os
import sys

from qgis.core import (
    QgsApplication,
    QgsAuthMethodConfig,
    QgsCoordinateReferenceSystem,
    QgsMapRendererSequentialJob,
    QgsMapSettings,
    QgsRectangle,
    QgsVectorLayer,
    QgsVectorTileLayer,
)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor

root, collection, box = sys.argv[1:]
app = QgsApplication([], False)
app.initQgis()
manager = QgsApplication.authManager()
manager.setMasterPassword("of this run", True)
login = QgsAuthMethodConfig("Basic")
login.setName("platbook")
login.setConfig("username", "any")
login.setConfig("password", os.environ["PLATBOOK_API_KEY"])
manager.storeAuthenticationConfig(login)


def read(filter=""):
    words = f"url='{root}/ogc' typename='{collection}' authcfg={login.id()} pagesize='7'"
    layer = QgsVectorLayer(words, "items", "OAPIF")
    if not layer.isValid():
        raise SystemExit("QGIS opens no layer: " + layer.error().message())
    if filter and not layer.setSubsetString(filter):
        raise SystemExit("QGIS refuses the filter")
    return layer, [
        {
            "propertyId": feature["propertyId"],
            "shape": json.loads(feature.geometry().asJson(7)) if feature.hasGeometry() else None,
        }
        for feature in layer.getFeatures()
    ]


def draw():
    """Draws a tile, and returns the number of pixels that are not white."""
    url = f"{root}/ogc/tiles/WebMercatorQuad/{{z}}/{{y}}/{{x}}"
    tiles = QgsVectorTileLayer(
        f"type=xyz&url={url}&zmin=0&zmax=18&authcfg={login.id()}", "tiles"
    )
    if not tiles.isValid():
        raise SystemExit("QGIS opens no tiles: " + tiles.error().message())
    settings = QgsMapSettings()
    settings.setLayers([tiles])
    settings.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
    settings.setExtent(QgsRectangle(*map(float, box.split(","))))
    settings.setOutputSize(QSize(256, 256))
    settings.setBackgroundColor(QColor("white"))
    job = QgsMapRendererSequentialJob(settings)
    job.start()
    job.waitForFinished()
    image = job.renderedImage()
    white = QColor("white").rgb()
    return sum(image.pixel(x, y) != white for x in range(256) for y in range(256))


layer, items = read()
print(
    json.dumps(
        {
            "crs": layer.crs().authid(),
            "items": items,
            "filtered": read("\"city\" = 'MADISON'")[1],
            "drawn": draw(),
        }
    )
)
sys.stdout.flush()
# Layers that outlive the application end it with a signal.
os._exit(0)
